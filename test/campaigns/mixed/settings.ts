/** How long everybody plays, in ms. */
export const PLAY_MS = Number(process.env['MIXED_SECONDS'] ?? 30) * 1_000;

/** Where choices come from: what is launched, who strikes and when. What happens at the same time is not chosen. */
export const SEED = Number(process.env['MIXED_SEED'] ?? 1);
