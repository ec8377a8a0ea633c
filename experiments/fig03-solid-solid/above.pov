// From the front, a little from the right, and from so far above that the cloth hides nothing of the ball.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  perspective
  location <1.0, -2.6, 2.5>
  sky z
  right -x * image_width / image_height  // ours is a right-handed world
  angle 25
  look_at <0, 0, -0.03>
}
light_source { <5, -6, 20>, rgb 0.9 parallel point_at 0 }
light_source { <10, -20, 6>, rgb 0.35 shadowless parallel point_at 0 }
#include "surfaces.inc"
