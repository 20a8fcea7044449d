/** A process manager or a reaction, as far as operators have to do with it. */
export interface OperatedProcess {
  readonly name: string;
  /** Processes whose commands, and events whose reaction, failed too often or for long. */
  stuck(): Promise<
    readonly { readonly tenant: string; readonly correlation: string; readonly error: string; readonly since: string }[]
  >;
  /** Has the commands of a stuck one tried again. */
  resume(tenant: string, correlation: string): Promise<void>;
}
