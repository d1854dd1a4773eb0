/** A finding of what `doctor` and `status` check. */
export interface Watched {
  readonly subject: 'clock' | 'storage' | 'disk' | 'certificate' | 'backup';
  readonly what: string;
  /** Null if nothing is wrong. */
  readonly remedy: string | null;
  /** No response: a site that has not started is no fault of its configuration. */
  readonly isUnseen?: boolean;
  /** It was never set up. */
  readonly isOff?: boolean;
}
