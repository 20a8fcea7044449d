import type { AskService } from '@lyceum/internal-api';
import type { ModulePorts } from '@lyceum/service';

/** What opening accounts works with beside the ports of every endpoint. */
export interface InvitationPorts {
  /** Invitations are sealed under them, by this service and by the school's. */
  readonly rootKeys: ModulePorts['rootKeys'];
  /** Absent without a school service, as in a test. */
  readonly ask: AskService | undefined;
}
