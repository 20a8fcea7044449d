import { routesOf } from '@lyceum/contracts';
import { domainModule, fileSlice } from '@lyceum/service';
import { courseOfCurriculum, coursesOfLecturers } from './courses/course.for-areas.ts';
import { courseSlice } from './courses/course.slice.ts';
import { curriculumSlice } from './curriculum/curriculum.slice.ts';
import { seedCatalog } from './demo/demo.ts';
import { courseExpander, coursesExpander, curriculumExpander, lecturersExpander } from './expansions/expansions.ts';
import { lecturerSlice } from './lecturers/lecturer.slice.ts';
import { productSlice } from './products/product.slice.ts';
import { seatsSlice } from './seats/seats.slice.ts';

/** The areas of the catalogue; each is given what it needs of another. */
export const catalogSlices = [
  courseSlice({ one: courseExpander, each: coursesExpander }),
  curriculumSlice({ loadCourse: courseOfCurriculum, expander: curriculumExpander }),
  lecturerSlice({ courses: coursesOfLecturers, expander: lecturersExpander }),
  productSlice,
  seatsSlice,
  fileSlice,
];

/** What schools teach and offer, and who teaches it: authoring and the public catalogue. */
export const catalog = domainModule({
  name: 'catalog',
  routes: routesOf('catalog'),
  slices: [...catalogSlices, { name: 'demo', operations: [], seedDemo: (_demo, ports) => seedCatalog(ports) }],
});
