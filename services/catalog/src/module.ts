import { routesOf } from '@lyceum/contracts';
import { aggregate, domainModule, streamsOf } from '@lyceum/service';
import { courseFact } from './courses/course.facts.ts';
import { courseOperations } from './courses/course.http.ts';
import { courseProjection } from './courses/course.projection.ts';
import { courseDecider } from './courses/course.ts';
import { teaching } from './teaching/teaching.ts';
import { curriculumSlice } from './curriculum/curriculum.slice.ts';
import { seedCatalog } from './demo/demo.ts';
import { lecturerSlice } from './lecturers/lecturer.slice.ts';
import { productSlice } from './products/product.slice.ts';
import { schoolProjection } from './schools/school-currency.ts';

/** What schools teach and offer, and who teaches it: authoring and the public catalogue. */
export const catalog = domainModule({
  name: 'catalog',
  routes: routesOf('catalog'),
  slices: [
    {
      name: 'courses',
      operations: courseOperations,
      projections: [courseProjection],
      follows: [{ source: 'school', projection: schoolProjection }],
      cross: courseFact,
      aggregates: [aggregate(streamsOf('course_'), courseDecider), aggregate(streamsOf('teaching_'), teaching)],
      seedDemo: (_demo, ports) => seedCatalog(ports),
    },
    curriculumSlice,
    lecturerSlice,
    productSlice,
  ],
});
