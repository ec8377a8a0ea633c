// From above and from the side.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  orthographic
  location <0, 0, 0.36> + 4 * vnormalize(<0.45, -1, 0.62>)
  sky z
  right -x * 1.74 * image_width / image_height  // ours is a right-handed world
  up y * 1.74
  look_at <0, 0, 0.36>
}
light_source { <6, -10, 14>, rgb 0.9 parallel point_at 0 }
light_source { <-8, -10, 4>, rgb 0.4 shadowless parallel point_at 0 }
#include "particles.inc"
