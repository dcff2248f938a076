/** The error with the reason why a file cannot be traced. */
export class UnreadablePicture extends Error {
  readonly reason: 'not-a-picture' | 'too-large' | 'locked';
  constructor(reason: UnreadablePicture['reason']) {
    super(reason);
    this.reason = reason;
  }
}
