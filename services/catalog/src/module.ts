import { routesOf } from '@lyceum/contracts';
import { domainModule } from '@lyceum/runtime';
import { courseFact } from './courses/course.facts.ts';
import { courseOperations } from './courses/course.http.ts';
import { courseProjection } from './courses/course.projection.ts';
import { seedCourses } from './demo.ts';
import { schoolProjection } from './schools.ts';

/** Courses: authoring and the public catalogue. */
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
      seedDemo: (_demo, ports) => seedCourses(ports),
    },
  ],
});
