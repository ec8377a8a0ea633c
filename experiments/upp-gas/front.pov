// The cloth, the columns and the plume from the front.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  orthographic
  location <-0.08, 0, 0.57> + 6 * vnormalize(<0.3, -1, 0.25>)
  sky z
  right -x * 1.28 * image_width / image_height  // ours is a right-handed world
  up y * 1.28
  look_at <-0.08, 0, 0.57>
}
light_source { <4, -8, 14>, rgb 0.9 parallel point_at 0 }
light_source { <-8, -10, 3>, rgb 0.45 shadowless parallel point_at 0 }
#include "particles.inc"
