import { errors, isErrorCode } from '@lyceum/contracts';
import { rowCodes } from './import.rows.ts';

const reasons: Readonly<Record<string, string>> = {
  ...rowCodes,
  unknown_course: 'There is no such course',
  not_in_future: 'Access would have ended already',
};

/** What the code of a row's error means, for people. */
export const reasonOf = (code: string): string =>
  reasons[code] ?? (isErrorCode(code) ? errors[code].means : 'The row was left out');
