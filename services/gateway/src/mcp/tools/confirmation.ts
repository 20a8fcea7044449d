import { isObject } from '@lyceum/kernel';
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  type RequestStateCodec,
  type ServerContext,
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { CallContext } from '../server/server-definition.ts';
import { ToolProblem } from './tool.ts';

/** What a person agreed to: by whom, and for exactly which call. */
interface Agreed {
  readonly who: string;
  readonly what: string;
}

const answer = z.object({ confirm: z.boolean() });

/** Asks people before a tool overwrites something. */
export interface Confirmation {
  /** For `ServerOptions.requestState`: refuses what was not sealed here. */
  readonly verify: RequestStateCodec<Agreed>['verify'];
  /**
   * Undefined when the call may go on; else what is to be answered instead. A client that can ask its person is made to, and the
   * state that comes back is good for the same person, client and arguments only; one that cannot must say `confirm`.
   */
  ask(
    input: { readonly confirm?: boolean | undefined },
    question: string,
    call: CallContext,
    context: ServerContext,
  ): Promise<InputRequiredResult | undefined>;
}

/** Confirmations sealed with a key of their own, derived from the secret of the installation. */
export function confirmations(secret: string): Confirmation {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'mcp request state', 32));
  const codec = createRequestStateCodec<Agreed>({ key, ttlSeconds: 600 });
  const whoOf = ({ caller: { school, principal } }: CallContext): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([school.id, principal?.client, principal?.subject]))
      .digest('base64url');
  return {
    verify: (state, context) => codec.verify(state, context),
    async ask({ confirm, ...input }, question, call, context) {
      if (!canAsk(context)) {
        if (confirm === true) return undefined;
        throw new ToolProblem(`${question} Ask the person, then call again with confirm: true.`);
      }
      const asked = { who: whoOf(call), what: createHash('sha256').update(JSON.stringify(input)).digest('base64url') };
      const agreed = context.mcpReq.requestState<Agreed>();
      const said = inputResponse(context.mcpReq.inputResponses, 'confirm');
      if (agreed?.who === asked.who && agreed.what === asked.what && said.kind === 'elicit') {
        if (acceptedContent(context.mcpReq.inputResponses, 'confirm', answer)?.confirm === true) return undefined;
        throw new ToolProblem('The person did not agree. Nothing was changed.');
      }
      return inputRequired({
        inputRequests: { confirm: inputRequired.elicit({ message: question, requestedSchema: answer }) },
        requestState: await codec.mint(asked, context),
      });
    },
  };
}

/** Whether the client of a modern request can put a question to its person. */
const canAsk = ({ mcpReq: { envelope } }: ServerContext): boolean => {
  const declared: unknown = envelope && Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY);
  return isObject(declared) && declared['elicitation'] !== undefined;
};
