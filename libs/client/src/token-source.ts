/**
 * Gives the access token of the moment; undefined for the public view. `refused`: the token before was answered with 401,
 * so another one is needed.
 */
export type TokenSource = (refused?: string) => Promise<string | undefined>;

/** Sends a request with the token, and once more with another one when the first is refused. */
export async function withToken(
  token: TokenSource | undefined,
  send: (authorization: Readonly<Record<string, string>>) => Promise<Response>,
): Promise<Response> {
  const headers = (given: string | undefined) => (given === undefined ? {} : { authorization: `Bearer ${given}` });
  const first = await token?.();
  const response = await send(headers(first));
  if (response.status !== 401 || first === undefined) return response;
  const second = await token?.(first);
  if (second === undefined || second === first) return response;
  await response.body?.cancel();
  return send(headers(second));
}
