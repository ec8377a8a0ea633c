// From the front, from above and a little from the right.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  orthographic
  location <0, 0, 0.24> + 6 * vnormalize(<0.3, -1, 0.7>)
  sky z
  right -x * 1.2 * image_width / image_height  // ours is a right-handed world
  up y * 1.2
  look_at <0, 0, 0.24>
}
light_source { <4, -12, 14>, rgb 0.9 parallel point_at 0 }
light_source { <-8, -10, 3>, rgb 0.45 shadowless parallel point_at 0 }
#include "particles.inc"
