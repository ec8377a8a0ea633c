// From the front and from below, where what came through the cloth is seen.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  orthographic
  location <0, 0, -0.1> + 6 * vnormalize(<0.25, -1, -0.3>)
  sky z
  right -x * 0.95 * image_width / image_height  // ours is a right-handed world
  up y * 0.95
  look_at <0, 0, -0.1>
}
light_source { <4, -12, 14>, rgb 0.6 parallel point_at 0 }
light_source { <-8, -10, -7>, rgb 0.8 shadowless parallel point_at 0 }
#include "surfaces.inc"
