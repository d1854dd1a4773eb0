export const BASE_PATH = '/api/public/v1';
