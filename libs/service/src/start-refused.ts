/** The process cannot start as asked. `message` says why in one sentence, `lines` what to do. Shown to a person, without a stack. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[] = []) {
    super(message);
    this.lines = lines;
  }
}
