/** Help of the gauge of promises, which API and worker serve. */
export const PROMISES_HELP =
  'What users asked for within the window of each class: in all (asked), what was kept, refused in words, or neither for longer than it may take (unknown)';
