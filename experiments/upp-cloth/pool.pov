// The pool from its front and a little from above, and where the canopies come from.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  orthographic
  location <0, 0, 2> + 12 * vnormalize(<0.25, -1, 0.3>)
  sky z
  right -x * 4.4 * image_width / image_height  // ours is a right-handed world
  up y * 4.4
  look_at <0, 0, 2>
}
light_source { <4, -12, 14>, rgb 0.9 parallel point_at 0 }
light_source { <-8, -10, 3>, rgb 0.45 shadowless parallel point_at 0 }
#include "particles.inc"
