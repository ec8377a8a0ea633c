// From the side; meant for a cut through the middle.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  orthographic
  location <0.4, 0, 0.74> + 4 * vnormalize(<0, -1, 0.1>)
  sky z
  right -x * 1.86 * image_width / image_height  // ours is a right-handed world
  up y * 1.86
  look_at <0.4, 0, 0.74>
}
light_source { <4, -10, 10>, rgb 0.9 parallel point_at 0 }
light_source { <-3, -10, 1>, rgb 0.5 shadowless parallel point_at 0 }
#include "particles.inc"
