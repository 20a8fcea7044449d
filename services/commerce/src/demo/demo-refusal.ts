import { Erased } from '@lyceum/eventlog';
import { Problem } from '@lyceum/web';

/** Something of the demo is not possible any more, because people have changed since what it is about. */
export class DemoRefused extends Error {
  override readonly name = 'DemoRefused';
}

/** Whether it will never be otherwise: it is refused, or the person is erased. All else is tried again. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof DemoRefused || error instanceof Erased || (error instanceof Problem && error.status < 500);
