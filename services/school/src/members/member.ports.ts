import type { Vault } from '@lyceum/eventlog';
import type { Meta } from '@lyceum/kernel';

/** What operations on members need beside the ports of every operation. */
export interface MemberPorts {
  readonly vault: Pick<Vault, 'derive'>;
  /** Destroys what is personal about a subject, here and, soon, in every service. May be repeated. */
  erase(school: string, subject: string, meta: Meta): Promise<void>;
}
