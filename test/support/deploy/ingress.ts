import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { parse } from 'yaml';
import { onPath } from '../on-path.ts';

/** Undefined where it is not on PATH. */
export const NGINX = onPath('nginx');

const INGRESS = join(import.meta.dirname, '../../../deploy/proxy/ingress-nginx.example.yaml');
const PREFIX = 'nginx.ingress.kubernetes.io/';

const IngressSchema = Type.Object({
  metadata: Type.Object({ annotations: Type.Record(Type.String(), Type.String()) }),
});

function annotation(name: string): string {
  const { annotations } = Value.Parse(IngressSchema, parse(readFileSync(INGRESS, 'utf8'))).metadata;
  const value = annotations[`${PREFIX}${name}`];
  if (value === undefined) throw new Error(`${INGRESS} has no ${name}`);
  return value;
}

/** What ingress-nginx makes of the example's annotations. `readSeconds` replaces the wait for the API, which is too long for a test. */
export function nginxSettings(directory: string, port: number, apiUrl: string, readSeconds: number): string {
  return `
    daemon off; master_process off; pid ${directory}/pid; error_log ${directory}/error.log;
    events {}
    http {
      access_log off; client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy;
      fastcgi_temp_path ${directory}/f; uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;
      limit_req_zone $binary_remote_addr zone=rps:1m rate=${annotation('limit-rps')}r/s;
      server {
        listen 127.0.0.1:${port};
        client_max_body_size ${annotation('proxy-body-size')};
        ${annotation('server-snippet')}
        location / {
          limit_req zone=rps burst=${5 * Number(annotation('limit-rps'))} nodelay;
          limit_req_status 429;
          proxy_read_timeout ${readSeconds}s;
          proxy_http_version 1.1;
          proxy_next_upstream off;
          proxy_pass ${apiUrl};
        }
      }
    }`;
}
