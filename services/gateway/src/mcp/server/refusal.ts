import type { ErrorCode } from '@lyceum/contracts';

/** A request that the MCP server turns away before the protocol begins. */
export class McpRefusal extends Error {
  override readonly name = 'Refused';
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, description: string, headers: Readonly<Record<string, string>> = {}) {
    super(description);
    this.code = code;
    this.headers = headers;
  }
}
