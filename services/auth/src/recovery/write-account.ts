import { type AccountCommand, accountDecider } from '../domain/accounts/account.ts';
import { requireStream } from '../domain/streams.ts';
import { write } from '../domain/write.ts';
import type { Exchange } from '../http/exchange/exchange.ts';

/** Has an account decide on a command of the person themselves. */
export const writeAccount = ({ ports, school, requestId }: Exchange, id: string, command: AccountCommand) =>
  write(
    ports,
    accountDecider,
    { school: school.id, stream: requireStream('account', id), meta: { actor: id, correlation: requestId } },
    command,
  );
