// Prints events as they come, one a line: go run stream.go https://site.example/api/public/v1 cursor.txt
// The file keeps the cursor of the last printed event: the same command goes on there. Without it, it begins with now.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// Every 4 s there is a sign of life: a connection without one is dead.
const silence = 30 * time.Second

var errRefused = errors.New("refused")

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: stream URL FILE")
		os.Exit(2)
	}
	for {
		if err := readStream(os.Args[1], os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			if errors.Is(err, errRefused) {
				os.Exit(1)
			}
		}
		// A stream ends itself after 15 minutes.
		time.Sleep(time.Second)
	}
}

func readStream(root, file string) error {
	cursor := "now"
	if kept, err := os.ReadFile(file); err == nil {
		cursor = strings.TrimSpace(string(kept))
	}
	response, err := http.Get(root + "/events/stream?" + url.Values{"after": {cursor}}.Encode())
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		// 429 and 5xx pass; others stay, such as 404: the cursor is too old.
		if response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= 500 {
			return errors.New(response.Status)
		}
		return fmt.Errorf("%w: %s", errRefused, response.Status)
	}
	timer := time.AfterFunc(silence, func() { response.Body.Close() })
	defer timer.Stop()
	var name, id, data string
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		timer.Reset(silence)
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch field {
		case "event":
			name = value
		case "id":
			id = value
		case "data":
			data = value
		case "":
			// Only now: the connection may have ended within a line.
			if err := handle(name, id, data, file); err != nil {
				return err
			}
			name, data = "", ""
		}
	}
	return lines.Err()
}

func handle(name, id, data, file string) error {
	if data != "" && name != "heartbeat" {
		fmt.Println(data)
	}
	if id == "" {
		return nil
	}
	// Renamed, so that the file is never half written.
	if err := os.WriteFile(file+".new", []byte(id), 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
