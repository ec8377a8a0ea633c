// From behind the wall, where the ball comes out, a little from the left and from above.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  orthographic
  location <0.1, 0, 0.01> + 3 * vnormalize(<1, -0.55, 0.4>)
  sky z
  right -x * 0.88 * image_width / image_height  // ours is a right-handed world
  up y * 0.88
  look_at <0.1, 0, 0.01>
}
light_source { <25, -10, 25>, rgb 0.9 parallel point_at 0 }
light_source { <20, -30, 5>, rgb 0.4 shadowless parallel point_at 0 }
#include "surfaces.inc"
