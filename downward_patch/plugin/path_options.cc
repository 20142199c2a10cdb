#include "path_options.h"

#include <cctype>

using namespace std;

namespace asnets_plugin {
static const string MARK = "path_0x";

static bool is_name_character(char c) {
    return isalnum(static_cast<unsigned char>(c)) || c == '_';
}

static string hidden(const string &path) {
    static const char *digits = "0123456789abcdef";
    string result = MARK;
    for (char each : path) {
        unsigned char byte = static_cast<unsigned char>(each);
        result += digits[byte >> 4];
        result += digits[byte & 15];
    }
    return result;
}

// Is there an option with a path before the '=' at `place`?
static bool follows_path_option(const string &search, size_t place) {
    size_t end = place;
    while (end > 0 && isspace(static_cast<unsigned char>(search[end - 1])))
        --end;
    size_t begin = end;
    while (begin > 0 && is_name_character(search[begin - 1]))
        --begin;
    string name = search.substr(begin, end - begin);
    for (char &c : name)
        c = static_cast<char>(tolower(static_cast<unsigned char>(c)));
    return name == "model" || name == "domain" || name == "problem";
}

string hide_paths(const string &search) {
    string result;
    for (size_t i = 0; i < search.size();) {
        result += search[i];
        if (search[i] != '=' || !follows_path_option(search, i)) {
            ++i;
            continue;
        }
        ++i;
        while (i < search.size() && isspace(static_cast<unsigned char>(search[i])))
            ++i;
        string path;
        if (i < search.size() && (search[i] == '"' || search[i] == '\'')) {
            char quote = search[i++];
            while (i < search.size() && search[i] != quote)
                path += search[i++];
            if (i < search.size())
                ++i;
        } else {
            while (i < search.size() && search[i] != ',' && search[i] != ')')
                path += search[i++];
            while (!path.empty() && isspace(static_cast<unsigned char>(path.back())))
                path.pop_back();
        }
        result += hidden(path);
    }
    return result;
}

string shown_path(const string &value) {
    if (value.compare(0, MARK.size(), MARK) != 0)
        return value;
    string result;
    for (size_t i = MARK.size(); i + 1 < value.size(); i += 2)
        result += static_cast<char>(stoi(value.substr(i, 2), nullptr, 16));
    return result;
}
}
