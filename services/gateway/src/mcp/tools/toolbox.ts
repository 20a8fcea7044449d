import { type Scope, mayHold } from '@lyceum/contracts';
import type { Principal } from '@lyceum/oauth';
import type { CallToolResult, InputRequiredResult, ListToolsResult, ServerContext } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { challengeOf } from '../server/caller.ts';
import type { CallContext } from '../server/server-definition.ts';
import { type ToolResult, type Tool, ToolProblem, failed, toolListing, invalidInput } from './tool.ts';

/** The tools of the server: which of them a caller is shown, and the result of a call. */
export class Toolbox {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #lists = new Map<string, ListToolsResult>();
  readonly #entries: ReadonlyMap<string, ReturnType<typeof toolListing>>;

  constructor(tools: readonly Tool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#entries = new Map(tools.map((tool) => [tool.name, toolListing(tool)]));
  }

  /** What a token must hold for a call; nothing for a tool that is open to anybody. */
  scopesOf(name: string): readonly Scope[] | undefined {
    const tool = this.#tools.get(name);
    return tool && (tool.isForTokens || tool.isPersonal ? tool.scopes : []);
  }

  /** Names of the tools that the caller may see: all that the role allows, whatever the token holds. */
  shownTo({ caller: { principal } }: CallContext): readonly string[] {
    return [...this.#tools.values()]
      .filter((tool) => !tool.isForTokens || (principal && isForRole(tool, principal)))
      .map(({ name }) => name);
  }

  /** The tools that the caller may see, always in one order. Every list is made once. */
  list(call: CallContext): ListToolsResult {
    const names = this.shownTo(call);
    const key = names.join();
    let list = this.#lists.get(key);
    if (!list) {
      list = { tools: names.map((name) => this.#entries.get(name)!) } as ListToolsResult;
      this.#lists.set(key, list);
    }
    return list;
  }

  /** Calls a tool. Whatever is wrong with the call is an answer that the model can read; only an unknown tool is an error. */
  async call(
    { name, arguments: given = {} }: { readonly name?: string; readonly arguments?: unknown },
    call: CallContext,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const tool = this.#tools.get(name ?? '');
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${String(name)}`);
    const { principal } = call.caller;
    if (tool.isForTokens && !principal) return signInFirst(tool, call);
    if (principal && !isForRole(tool, principal))
      return failed(
        `The tool ${tool.name} is not for the role ${principal.role}. Somebody who teaches or manages has to do it.`,
      );
    const result = await run(tool, given, call, context);
    if (!('data' in result)) return result;
    const data = result.data as Record<string, unknown>;
    return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
  }
}

/** Whether no scope of the tool is beyond the role: then the person may sign in again with more. */
const isForRole = ({ scopes }: Tool, { role }: Principal): boolean => scopes.every((scope) => mayHold(role, scope));

async function run(tool: Tool, given: unknown, call: CallContext, context: ServerContext): Promise<ToolResult> {
  const input = tool.input.safeParse(given);
  if (!input.success) return failed(invalidInput(input.error));
  try {
    return await tool.run(input.data as never, call, context);
  } catch (error) {
    if (error instanceof ToolProblem) return failed(error.message);
    throw error;
  }
}

function signInFirst({ name, scopes }: Tool, { caller }: CallContext): CallToolResult {
  const description = `The tool ${name} needs an access token`;
  const challenge = challengeOf(caller, { error: 'invalid_token', description, scopes });
  return failed(`${description} with ${scopes.join(' ')}. See ${caller.school.baseUrl}/auth.md.`, {
    'mcp/www_authenticate': [challenge],
  });
}
