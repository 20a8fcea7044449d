/**
 * Thrown by `ProcessManager.carryOut` when no other try helps until a person has looked into it: the process is stuck at
 * once, and operators read the message. What else is thrown is tried again by itself first.
 */
export class NeedsOperator extends Error {
  override readonly name = 'NeedsOperator';
}
