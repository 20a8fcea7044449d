import { routesOf } from '@lyceum/contracts';
import { domainModule, fileSlice } from '@lyceum/service';
import { calendarEventSlice } from './calendar/calendar-event.slice.ts';
import { countSlice } from './comment-counts/count.slice.ts';
import { likeSlice } from './comment-liking/liking.slice.ts';
import { commentSlice } from './comments/api/comment.slice.ts';
import { demoSlice } from './demo/demo.ts';
import { formSlice } from './forms/api/form.slice.ts';
import { icalendarOperations } from './icalendar/icalendar.http.ts';
import { mailSlice } from './mails/mail.slice.ts';
import { pageSlice } from './pages/page.slice.ts';
import { contentServicePorts } from './ports/content-ports.ts';
import { contentSettings } from './ports/content-settings.ts';
import { findPost } from './posts/post.commenting.ts';
import { postSlice } from './posts/post.slice.ts';
import { registrationSlice } from './registering/registration.slice.ts';
import { comingTo } from './registrations/registration.rows.ts';
import { arrived } from './schools/arrived.ts';
import { schoolProjection, schoolProjectionBefore } from './schools/known-school.ts';
import { seatingSlice } from './seating/seating.slice.ts';
import { submissionSlice } from './submissions/api/submission.slice.ts';

/** The site of a school and what its visitors say there: pages, posts, comments, calendar events, forms. */
export const content = domainModule({
  name: 'content',
  routes: routesOf('content'),
  // What people speak, where they are written to.
  asks: ['auth'],
  settings: contentSettings,
  arrived,
  slices: [
    {
      name: 'schools',
      operations: [],
      follows: [{ source: 'school', projection: schoolProjection }],
      previousProjections: [schoolProjectionBefore],
    },
    pageSlice,
    postSlice,
    formSlice,
    submissionSlice,
    commentSlice(findPost),
    likeSlice,
    countSlice,
    calendarEventSlice({ coming: comingTo }),
    { name: 'icalendar', operations: icalendarOperations },
    registrationSlice,
    seatingSlice,
    mailSlice,
    fileSlice,
    demoSlice,
  ],
  ownPorts: contentServicePorts,
});
