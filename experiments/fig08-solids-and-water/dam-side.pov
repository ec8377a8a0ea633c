// From the side; meant for a cut along the middle of the channel.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  orthographic
  location <2.0, -9, 1.1>
  sky z
  right -x * 2.4 * image_width / image_height  // ours is a right-handed world
  up y * 2.4
  look_at <2.0, 0, 1.1>
}
light_source { <4, -20, 20>, rgb 0.9 parallel point_at 0 }
light_source { <-5, -20, 3>, rgb 0.5 shadowless parallel point_at 0 }
#include "particles.inc"
