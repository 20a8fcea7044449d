import type { Ports } from '@lyceum/web';
import { findClient } from './client-registry.ts';
import type { Client } from './client.ts';
import { isAddress } from './document-id.ts';

/** Whether what a client was given at a time (seconds since the epoch) still counts, as far as the client goes. */
export const clientAllows = ({ disabled, tokensNotBefore }: Client, issued: number): boolean =>
  !disabled && issued >= tokensNotBefore;

/** The same by the id of the client. Nobody here can end a client that a document describes. */
export async function clientAllowsById(
  ports: Pick<Ports, 'log'>,
  school: string,
  id: string,
  issued: number,
): Promise<boolean> {
  if (isAddress(id)) return true;
  const client = await findClient(ports, school, id);
  return client !== undefined && clientAllows(client, issued);
}
