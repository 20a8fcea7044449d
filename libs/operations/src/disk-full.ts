import { codeOf } from '@lyceum/kernel';
/** Whether an error, or what it was caused by, says that a disk has no room. */
export function isDiskFull(error: unknown): boolean {
  for (let each: unknown = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    const code = codeOf(each);
    if (typeof code !== 'string') continue;
    if (code === 'ENOSPC' || code.startsWith('SQLITE_FULL') || code === 'SQLITE_IOERR_WRITE') return true;
  }
  return false;
}
