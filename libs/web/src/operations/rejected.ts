import { type ErrorCode, errors, isErrorCode } from '@lyceum/contracts';
import type { Rejection } from '@lyceum/kernel';
import { Problem } from '../replies/problem.ts';

/** The status of every code that a decider may reject with; written `{…} satisfies Record<CourseRejection, number>`. */
export type StatusTable<Code extends string = string> = Readonly<Record<Code, number>>;

/** Turns a rejection into the problem that the client reads. Throws when the table disagrees with the error table. */
export function problemOf<Code extends string>(rejection: Rejection<Code>, table: StatusTable<Code>): Problem {
  const wrong = disagreements({ [rejection.rejected]: table[rejection.rejected] });
  if (wrong.length > 0) throw new Error(wrong[0]);
  return new Problem(rejection.rejected as unknown as ErrorCode, rejection.reason, { details: rejection.details });
}

/** What of a status table contradicts the error table, as sentences; empty when all is well. For tests. */
export function disagreements(table: StatusTable): readonly string[] {
  return Object.entries(table).flatMap(([code, status]) => {
    if (!isErrorCode(code)) return [`rejection ${code} is not in the error table`];
    const expected = errors[code].status;
    return status === expected ? [] : [`rejection ${code} has status ${status}, the error table says ${expected}`];
  });
}
