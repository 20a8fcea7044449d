import { routesOf } from '@lyceum/contracts';
import { domainModule } from '@lyceum/service';
import { attemptSlice } from './attempts/attempt.slice.ts';
import { boughtSlice } from './bought/bought.slice.ts';
import { certificateSlice } from './certificates/certificate.slice.ts';
import { completionSlice } from './completions/completion.slice.ts';
import { demoSlice } from './demo/demo.ts';
import { downloadSlice } from './downloads/download.slice.ts';
import { enrollmentSlice } from './enrollments/enrollment.slice.ts';
import { ownSlice } from './own/own.slice.ts';
import { planAccessSlice } from './plan-access/plan-access.slice.ts';
import { productAccessSlice } from './product-access/product-access.slice.ts';
import { quizSlice } from './quizzes/quiz.slice.ts';
import { bulkSlice } from './student-bulk/bulk.slice.ts';
import { importSlice } from './student-imports/import.slice.ts';
import { seatSlice } from './seats/seat.slice.ts';
import { studentListSlice } from './student-lists/student-list.slice.ts';
import { studentProductSlice } from './student-products/student-product.slice.ts';
import { studentSlice } from './students/student.slice.ts';

/** Who learns what: enrollments of members in courses, quizzes, certificates; and who may download what. */
export const learning = domainModule({
  name: 'learning',
  routes: routesOf('learning'),
  slices: [
    enrollmentSlice,
    seatSlice,
    boughtSlice,
    planAccessSlice,
    completionSlice,
    ownSlice,
    studentSlice,
    studentListSlice,
    bulkSlice,
    importSlice,
    attemptSlice,
    quizSlice,
    certificateSlice,
    productAccessSlice,
    downloadSlice,
    studentProductSlice,
    demoSlice,
  ],
});
