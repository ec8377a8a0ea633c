// From behind the wall and from above.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  orthographic
  location <0.4, 0, 0.5> + 4 * vnormalize(<1, -0.75, 0.5>)
  sky z
  right -x * 2.06 * image_width / image_height  // ours is a right-handed world
  up y * 2.06
  look_at <0.4, 0, 0.5>
}
light_source { <10, -8, 14>, rgb 0.9 parallel point_at 0 }
light_source { <8, -20, 4>, rgb 0.4 shadowless parallel point_at 0 }
#include "particles.inc"
