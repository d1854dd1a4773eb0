const SIDE = 256;
const WHOLE_TURN = 360;

export function drawnLogo(symbol: string): string {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIDE;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser cannot draw');
  pen.fillStyle = `hsl(${hueOf(symbol)} 60% 38%)`;
  pen.fillRect(0, 0, SIDE, SIDE);
  pen.fillStyle = 'white';
  pen.font = `700 ${SIDE * 0.56}px ${getComputedStyle(document.body).fontFamily}`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText([...symbol][0] ?? '?', SIDE / 2, SIDE * 0.53);
  return canvas.toDataURL('image/png');
}

function hueOf(text: string): number {
  return [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % WHOLE_TURN, 0);
}
