import { type Admission, perMinute, scaled } from '@lyceum/web';
import { countIn } from './count-request.ts';
import type { Quotas } from './quota-table.ts';

/** Calls of tools and everything else, by one address or one person of one client. */
const calls = perMinute('mcp', 300);

/** Counts messages to the MCP server of a school, by their cost, for whom they come from; a promise only where others have to be asked. */
export type McpLimit = (school: string, from: readonly string[], cost?: number) => Admission | Promise<Admission>;

/** The limit of the MCP server, beside those of the API in the same quotas. `factor` multiplies it. */
export function mcpLimit(quotas: Quotas, factor: number): McpLimit {
  const policy = scaled(calls, factor);
  const count = countIn(quotas);
  // Keys of the API go on with an address or a bracket.
  return (school, from, cost) => count(policy, `${school} mcp ${JSON.stringify(from)}`, cost);
}
