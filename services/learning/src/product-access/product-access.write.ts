import type { Executed } from '@lyceum/eventlog';
import { type Deciding, type Ports, type StatusTable, accepted, attempt } from '@lyceum/web';
import type { ProductAccess, ProductAccessState } from './product-access.state.ts';
import {
  type ProductAccessCode,
  type ProductAccessCommand,
  productAccessDecider,
  productAccessStream,
} from './product-access.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const productAccessRejections = {
  not_found: 404,
  access_denied: 403,
  already_granted: 409,
  download_limit: 409,
  file_not_ready: 409,
  invalid_state: 409,
  validation_failed: 422,
} as const satisfies StatusTable<ProductAccessCode>;

/** An access after a command. */
export type ProductAccessDecided = Executed<ProductAccessState> & { readonly state: ProductAccess };

/** Brings the command of a call to the access that it is about. Throws the problem that a rejection means. */
export async function decideProductAccess(
  call: Deciding,
  ports: Pick<Ports, 'log'>,
  command: ProductAccessCommand,
): Promise<ProductAccessDecided> {
  const stream = productAccessStream(command.member_id, command.product_id);
  const done = accepted(await attempt(call, ports, productAccessDecider, stream, command), productAccessRejections);
  const { state } = done;
  if (!state) throw new Error('a command to the access to a digital product left none');
  return { ...done, state };
}
