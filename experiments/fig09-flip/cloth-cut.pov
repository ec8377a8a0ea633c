// From the side and a little from above; meant for a cut through the middle.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  orthographic
  location <0, 0, 0.5> + 3 * vnormalize(<0, -1, 0.18>)
  sky z
  right -x * 1.22 * image_width / image_height  // ours is a right-handed world
  up y * 1.22
  look_at <0, 0, 0.5>
}
light_source { <4, -10, 10>, rgb 0.9 parallel point_at 0 }
light_source { <-3, -10, 1>, rgb 0.5 shadowless parallel point_at 0 }
#include "particles.inc"
