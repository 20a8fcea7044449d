import { fileReferenceFacts } from '../files/file-references.ts';
import { calendarFacts } from './content/calendar.ts';
import { commentFacts } from './content/comments.ts';
import { formFacts } from './content/forms.ts';
import { pageFacts } from './content/pages.ts';
import { postFacts } from './content/posts.ts';
import { subjectEvents } from './declaration.ts';
import { seatRequestFacts } from './seats.ts';

/** What the content service publishes. */
export const contentFacts = {
  ...subjectEvents,
  ...fileReferenceFacts,
  ...seatRequestFacts,
  ...pageFacts,
  ...postFacts,
  ...commentFacts,
  ...formFacts,
  ...calendarFacts,
} as const;
