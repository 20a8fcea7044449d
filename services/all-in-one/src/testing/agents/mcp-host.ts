const redirectUrl = 'http://127.0.0.1:48124/callback';

interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string;
}

/** What an MCP host keeps for one server: what the SDK hands it, unchanged. */
export class Host {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata: { redirect_uris: string[]; client_name: string; token_endpoint_auth_method: string };
  opened: URL | undefined;
  kept: Tokens | undefined;
  readonly dropped: string[] = [];
  #client: { client_id: string } | undefined;
  #verifier = '';
  #found: object | undefined;

  constructor(method: string) {
    this.clientMetadata = {
      client_name: 'MCP host',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: method,
    };
  }
  state(): string {
    return 'state-of-the-host';
  }
  clientInformation(): { client_id: string } | undefined {
    return this.#client;
  }
  saveClientInformation(client: { client_id: string }): void {
    this.#client = client;
  }
  tokens(): Tokens | undefined {
    return this.kept;
  }
  saveTokens(tokens: Tokens): void {
    this.kept = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.opened = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  saveDiscoveryState(found: object): void {
    this.#found = found;
  }
  discoveryState(): object | undefined {
    return this.#found;
  }
  invalidateCredentials(what: string): void {
    this.dropped.push(what);
    if (what === 'tokens' || what === 'all') this.kept = undefined;
    if (what === 'client' || what === 'all') this.#client = undefined;
  }
}

/** The function of an SDK that takes a host one step further. */
export type Auth = (host: Host, options: Record<string, unknown>) => Promise<'AUTHORIZED' | 'REDIRECT'>;
