import { type ReactNode, useId } from 'react';

interface FieldProps {
  readonly label: string;
  readonly rule: ReactNode;
  readonly problem?: string | undefined;
  readonly optional?: boolean;
  /** Tie control, label and rule. */
  readonly children: (ids: {
    readonly id: string;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': boolean;
  }) => ReactNode;
}

export function Field({ label, rule, problem, optional = false, children }: FieldProps) {
  const id = useId();
  return (
    <div className="form-field">
      <label htmlFor={id}>
        {label} {optional && <small>optional</small>}
      </label>
      {children({ id, 'aria-describedby': `${id}-rule`, 'aria-invalid': problem !== undefined })}
      <p className="rule" id={`${id}-rule`}>
        {problem !== undefined && <strong className="down">{problem} </strong>}
        {rule}
      </p>
    </div>
  );
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly inputMode?: 'decimal' | 'url' | 'text';
}

export function TextField({ value, onChange, placeholder, inputMode = 'text', ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      {(ids) => (
        <input
          {...ids}
          value={value}
          placeholder={placeholder}
          inputMode={inputMode}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
