import type { OperationTexts } from './operation-texts.ts';
import { object, ref, text } from './schemas.ts';

const dead = {
  404: 'The link is none of this school, or was not copied whole',
  410: 'The link has expired, another one was asked for, or the account has another address or is no more',
};

/** What people download, by the id of the operation. */
export const exportOperations: Readonly<Record<string, OperationTexts>> = {
  showExport: {
    summary: 'Download your data: the page behind the link',
    description: 'A page for people: programs have no use for it. Opening it reads nothing.',
    takes: object({ token: text('As the link in the mail has it') }, ['token']),
    answers: { 200: 'The page', ...dead },
  },
  downloadExport: {
    summary: 'Download your data',
    description:
      'All that every service keeps about the person, as of now: lists in JSON and an index of them. A file that breaks off is not the whole: the connection is cut then. As often as wanted while the link works, also by members who are suspended.',
    takes: ref('LinkForm'),
    answers: {
      200: ['The zip file', { type: 'string', format: 'binary' }, 'application/zip'],
      ...dead,
      503: 'A service does not answer, so that the file would not be whole; wait as Retry-After says',
    },
  },
};
