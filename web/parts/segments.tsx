export type Choice<T extends string> = readonly [value: T, label: string];

export interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly choices: readonly Choice<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

export function Segments<T extends string>({ label, choices, value, onChange }: SegmentsProps<T>) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {choices.map(([choice, text]) => (
        <button key={choice} type="button" aria-pressed={choice === value} onClick={() => onChange(choice)}>
          {text}
        </button>
      ))}
    </div>
  );
}
