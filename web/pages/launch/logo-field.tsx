import { useRef, useState } from 'react';
import { isolated } from '../../format/texts.ts';
import { Field } from './field.tsx';

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const MOST_PIXELS = 2_048;

interface LogoFieldProps {
  readonly value: string;
  readonly mostBytes: number;
  readonly problem?: string | undefined;
  readonly onChange: (dataUrl: string) => void;
  readonly onDraw: () => void;
}

/** Stored upright, without metadata, for ever. */
export function LogoField({ value, mostBytes, problem, onChange, onDraw }: LogoFieldProps) {
  const [refusal, setRefusal] = useState<string>();
  const control = useRef<HTMLInputElement>(null);
  // The input would keep a rejected file's name.
  const forgetFile = () => {
    if (control.current) control.current.value = '';
  };
  const take = async (file: File | undefined) => {
    if (!file) return;
    const reason = await reasonAgainst(file, mostBytes);
    setRefusal(reason === null ? undefined : `${isolated(file.name)}: ${reason}`);
    if (reason !== null) forgetFile();
    onChange(reason === null ? await dataUrlOf(file) : '');
  };
  const draw = () => {
    setRefusal(undefined);
    forgetFile();
    onDraw();
  };
  return (
    <Field
      label="Logo"
      rule={`One still PNG, JPEG or WebP, up to ${mostBytes / 1024} KB and ${MOST_PIXELS} × ${MOST_PIXELS} pixels. It is stored for ever.`}
      problem={refusal ?? problem}
    >
      {(ids) => (
        <span className="logo-field">
          {value === '' ? (
            <span className="picture logo-empty" />
          ) : (
            <img className="picture" src={value} width={64} height={64} alt="The chosen logo" />
          )}
          <span className="logo-ways">
            <input
              {...ids}
              ref={control}
              type="file"
              accept={TYPES.join()}
              onChange={({ target }) => void take(target.files?.[0])}
            />
            <button type="button" className="text-button" onClick={draw}>
              No picture at hand? Draw one of the symbol
            </button>
          </span>
        </span>
      )}
    </Field>
  );
}

async function reasonAgainst(file: File, mostBytes: number): Promise<string | null> {
  if (!TYPES.includes(file.type)) return 'only PNG, JPEG and WebP.';
  if (file.size > mostBytes) return `it has ${Math.ceil(file.size / 1024)} KB.`;
  try {
    const { width, height } = await createImageBitmap(file);
    return Math.max(width, height) > MOST_PIXELS ? `it has ${width} × ${height} pixels.` : null;
  } catch {
    return 'this is no picture that can be read.';
  }
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      resolve(typeof reader.result === 'string' ? reader.result : '');
    };
    reader.onerror = () => {
      reject(reader.error ?? new Error('the picture cannot be read'));
    };
    reader.readAsDataURL(file);
  });
}
