// From behind the wall, where the ball comes out, from the left and from above; so far from the side that the ball is seen to be out.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  orthographic
  location <0.16, 0, 0> + 6 * vnormalize(<1, -1.1, 0.4>)
  sky z
  right -x * 2.02 * image_width / image_height  // ours is a right-handed world
  up y * 2.02
  look_at <0.16, 0, 0>
}
light_source { <25, -10, 25>, rgb 0.9 parallel point_at 0 }
light_source { <20, -30, 5>, rgb 0.4 shadowless parallel point_at 0 }
#include "surfaces.inc"
