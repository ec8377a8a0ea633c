// The plume from its side, and the ball.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  orthographic
  location <0, 0, 1.1> + 6 * vnormalize(<0.2, -1, 0.1>)
  sky z
  right -x * 2.4 * image_width / image_height  // ours is a right-handed world
  up y * 2.4
  look_at <0, 0, 1.1>
}
light_source { <4, -8, 14>, rgb 0.9 parallel point_at 0 }
light_source { <-8, -10, 3>, rgb 0.45 shadowless parallel point_at 0 }
sphere { <0.02, 0.01, 0.6>, 0.16 pigment { rgb 0.35 } }
#include "particles.inc"
