// From the front, a little from the right and from above; the ground is there for the shadow alone.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  perspective
  location <1.3, -3.4, 1.15>
  sky z
  right -x * image_width / image_height  // ours is a right-handed world
  angle 27
  look_at <0, 0, -0.2>
}
light_source { <5, -6, 20>, rgb 0.9 parallel point_at 0 }
light_source { <10, -20, 6>, rgb 0.35 shadowless parallel point_at 0 }
plane { z, -0.6 pigment { rgb 0.97 } finish { ambient 0.35 diffuse 0.6 } }
#include "surfaces.inc"
