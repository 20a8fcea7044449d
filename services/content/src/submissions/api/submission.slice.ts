import { type PersonalData, type Slice, aggregate, rowsAbout, streamsOf } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import type { ContentServicePorts } from '../../ports/content-ports.ts';
import type { ContentSettings } from '../../ports/content-settings.ts';
import { submissionEvents } from '../submission.events.ts';
import { exportSubmissions } from './submission.export.ts';
import { submissionFact } from '../submission.facts.ts';
import { erasingSenders, forgettingSubmissions, isForgettingOfSubmission } from '../keeping/submission.forgetting.ts';
import { matchingSenders } from '../keeping/submission.matching.ts';
import { submissionModeration } from './submission.moderating.ts';
import { submissionReading } from './submission.reading.ts';
import { deletingOutdated } from '../keeping/submission.retention.ts';
import { submissionOf, submissionProjection, submissions } from '../submission.rows.ts';
import { submitForm } from './submission.submitting.ts';
import { submissionDecider } from '../submission.ts';
import { sentDocument } from './submission.view.ts';

/** What a member sent by forms: not how much it looks like spam. */
const submissionData: PersonalData<Ports> = {
  file: 'submissions',
  read: (of, ports, after) =>
    rowsAbout(ports, of, { collection: submissions, field: 'member_id' }, after, ({ id, body }) =>
      sentDocument(id, submissionOf(body)),
    ),
};

/** What visitors send by forms. */
export const submissionSlice: Slice<ContentSettings, ContentServicePorts> = {
  name: 'submissions',
  operations: (ports) => [submitForm(ports), exportSubmissions, ...submissionReading, ...submissionModeration],
  events: submissionEvents,
  aggregates: [aggregate(streamsOf('submission_'), submissionDecider)],
  projections: [submissionProjection],
  toFact: submissionFact,
  isPrivate: ({ stream }) => isForgettingOfSubmission(stream),
  reactions: [forgettingSubmissions, erasingSenders, matchingSenders],
  backgroundJobs: [deletingOutdated],
  personalData: [submissionData],
};
