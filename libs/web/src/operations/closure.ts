import type { Trust } from '@lyceum/oauth';
import { type Access, staffByDefault } from './access.ts';
import type { Operation } from './operation.ts';
import { Problem } from '../replies/problem.ts';

/**
 * Refuses what a school that is not open does not answer: its staff can read it, and everybody reaches their own account,
 * to leave with their data. Throws the problem otherwise.
 */
export function refuseWhereClosed(
  { method, area }: Pick<Operation, 'method' | 'area'>,
  { principal }: Access,
  school: string,
  trust: Pick<Trust, 'closure'>,
): void {
  if (principal && area === 'account') return;
  if (principal && method === 'GET' && staffByDefault.includes(principal.role)) return;
  refuseVisitorsWhereClosed(school, trust);
}

/** Refuses what a school that is not open does not answer visitors. Throws the problem otherwise. */
export function refuseVisitorsWhereClosed(school: string, trust: Pick<Trust, 'closure'>): void {
  const closure = trust.closure?.(school);
  if (!closure) return;
  if (closure === 'closed') throw new Problem('school_closed');
  throw new Problem('school_suspended', undefined, { headers: { 'Retry-After': '3600' } });
}
