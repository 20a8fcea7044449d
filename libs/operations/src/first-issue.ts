import type { z } from 'zod';

/** Where a schema refused a value first, and why; never the value. */
export const firstIssue = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 1)
    .map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
    .join('');
